import { userId } from "../user.ts";

/** A person of the sample tenant. */
export interface Person {
  readonly id: number;
  readonly name: string;
  /** Role of the person in the tenant, as owners' entries carry it. */
  readonly role: "Admin" | "Privileged" | "Editor" | "Participant";
  readonly roleId: number;
}

const roles = { Admin: 1, Privileged: 2, Editor: 3, Participant: 4 } as const;

function person(id: number, name: string, role: Person["role"]): Person {
  return { id, name, role, roleId: roles[role] };
}

/** The person that the tenant's token belongs to comes first. */
export const people: readonly [Person, ...Person[]] = [
  person(userId, "Ada Example", "Admin"),
  person(481_516_235, "Ben Sample", "Privileged"),
  person(481_516_236, "Chloé Muster", "Editor"),
  person(481_516_237, "Dmitri Образец", "Editor"),
  person(481_516_238, "Emi 見本", "Participant"),
  person(481_516_239, "Femi Alabi", "Privileged"),
  person(481_516_240, "Grace Lindqvist", "Participant"),
  person(481_516_241, "Hugo Peña", "Editor"),
  person(270_031_566, "Ines Okafor", "Admin"),
];

/** That person, or a person without a name where the id is nobody's. */
export function personOf(id: number): Person {
  return people.find((one) => one.id === id) ?? person(id, `User ${id}`, "Participant");
}

/** The address under which a person signs in. */
export function emailOf(id: number): string {
  return `user${id}@example.com`;
}
