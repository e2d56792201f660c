import type { DesignState, DesignVersionState } from "../seed/designs.ts";
import { emailOf, personOf, userId } from "../seed/organization.ts";
import { ErrorResponse, fieldsOf, ok, type PlatformCall, type PlatformHandler, type Wire } from "./handler.ts";

/** The platform's handlers for the operations of API description, 4.3. */
export const designHandlers = {
  "designs.list": async (call) => {
    const { query } = call;
    const offset = Number(query.get("offset") ?? "0");
    const limit = Number(query.get("limit") ?? "30");
    const search = (query.get("search") ?? "").toLowerCase();
    const order = query.get("direction") === "asc" ? 1 : -1;
    const isDeleted = query.get("deleted") === "true";
    const has = permissionTest(query.get("withPermission") ?? "ADMIN");
    const listed = call.file.state.designs.filter(
      (design) => (design.deleted !== undefined) === isDeleted && has(design),
    );
    const found = listed
      .filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(search))
      .toSorted((left, right) => order * left.updated.localeCompare(right.updated));
    const parts = partsOf(query, "owners,creator,thumbnail,versions,cards");
    return ok(found.slice(offset, offset + limit).map((design) => designShape(design, parts, call.wire)));
  },
  "designs.get": async (call) => {
    const design = designOf(call);
    return ok(designShape(design, partsOf(call.query, "owners,cards,versions,creator"), call.wire));
  },
  "designs.versions.list": async (call) => {
    const design = designOf(call);
    return ok(design.versions.map((version) => versionShape(design, version, call.wire)));
  },
  "designs.versions.assets": async (call) => {
    const design = designOf(call);
    const version = call.parameters.get("version") ?? "";
    if (!design.versions.some((one) => one.version === version)) {
      return { status: 404, contentType: "text/plain", bytes: Buffer.from("Not Found") };
    }
    const { designArchive } = await import("./design-archive.ts");
    return { status: 200, contentType: "application/zip", bytes: await designArchive(design, version) };
  },
  "designs.admins.add": async (call) => {
    const design = designOf(call, canChange);
    const ids = Array.isArray(call.body) ? call.body.map(Number) : [];
    const owners = [...new Set([...design.owners, ...ids])];
    await call.file.change((state) => ({
      ...state,
      designs: state.designs.map((one) => (one.id === design.id ? { ...one, owners } : one)),
    }));
    return { status: 204 };
  },
  "designs.owner.update": async (call) => {
    const design = designOf(call, canChange);
    const owner = Number(fieldsOf(call.body).newOwner);
    const before = design.owner ?? design.creator;
    const owners = [...new Set([...design.owners.filter((id) => id !== before), owner])];
    await call.file.change((state) => ({
      ...state,
      designs: state.designs.map((one) => (one.id === design.id ? { ...one, owners, owner } : one)),
    }));
    return { status: 204 };
  },
  "designs.permissions.get": async () => {
    throw new ErrorResponse(405, "Request method 'GET' is not supported");
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

/** Tests whether the signed-in user has a permission on a design; owners have all permissions. */
function permissionTest(permission: string): (design: DesignState) => boolean {
  return ({ owners, readers = [] }) => owners.includes(userId) || (permission === "READ" && readers.includes(userId));
}

const canChange = permissionTest("ADMIN");
const canRead = permissionTest("READ");

/** The design of a call. The platform responds with 404 both for a missing design and without access. */
function designOf(call: PlatformCall, isAccessible = canRead): DesignState {
  const id = call.parameters.get("designId") ?? "";
  const design = call.file.state.designs.find((one) => one.id === id);
  if (design === undefined || !isAccessible(design)) {
    throw new ErrorResponse(404, `Design ${id} not found`);
  }
  return design;
}

function partsOf(query: URLSearchParams, otherwise: string): ReadonlySet<string> {
  return new Set((query.get("parts") ?? otherwise).split(",").map((part) => part.trim()));
}

function designShape(design: DesignState, parts: ReadonlySet<string>, wire: Wire): Record<string, unknown> {
  const { designCards } = wire.dialect.fields;
  return {
    id: design.id,
    name: design.name,
    description: design.description,
    owner: String(design.owner ?? design.creator),
    createdBy: String(design.creator),
    createdDate: design.created,
    updatedBy: String(design.creator),
    updatedDate: design.updated,
    deletedDate: design.deleted ?? null,
    latestVersion: design.versions[0]?.version ?? null,
    trusted: false,
    hasThumbnail: true,
    ...(parts.has("owners") ? { owners: design.owners.map(personShape) } : {}),
    ...(parts.has("creator") ? { creator: personShape(design.creator) } : {}),
    ...(parts.has("thumbnail") ? { thumbnail: null } : {}),
    ...(parts.has("versions")
      ? { versions: design.versions.map((version) => versionShape(design, version, wire)) }
      : {}),
    ...(parts.has("cards") ? { [designCards]: design.cards.map((card) => cardShape(design, card)) } : {}),
  };
}

function personShape(id: number): Record<string, unknown> {
  const { name, role, roleId } = personOf(id);
  return { id, displayName: name, role, roleId, avatarKey: null, detail: { email: emailOf(id) } };
}

function cardShape(design: DesignState, card: DesignState["cards"][number]): Record<string, unknown> {
  return {
    ...card,
    urn: String(card.id),
    type: "domoapp",
    active: true,
    locked: false,
    created: Date.parse(design.created),
    creatorId: design.creator,
    badgeUpdated: Date.parse(design.updated),
  };
}

/** A card that shows an app of one of the designs, as the platform returns a single card. */
export function designCardEntry(designs: readonly DesignState[], id: string): Record<string, unknown> | undefined {
  for (const design of designs) {
    const card = design.cards.find((one) => String(one.id) === id);
    if (card !== undefined) {
      const owners = design.owners.map((owner) => ({ id: owner, type: "USER", displayName: personOf(owner).name }));
      return { ...cardShape(design, card), description: "", owners, datasources: [], domoapp: { id: design.id } };
    }
  }
  return undefined;
}

function versionShape(design: DesignState, version: DesignVersionState, wire: Wire): Record<string, unknown> {
  return {
    id: `${design.id}-${version.version}`,
    designId: design.id,
    version: version.version,
    draft: version.released === null,
    fullpage: false,
    size: { width: 3, height: 2 },
    trusted: false,
    publicAssetsEnabled: true,
    scopes: [],
    flags: {},
    createdBy: String(design.creator),
    [wire.dialect.fields.versionCreated]: version.created,
    updatedBy: String(design.creator),
    updatedDate: version.created,
    releasedDate: version.released,
    deletedDate: null,
    datasetsMapping: [],
    collectionsMapping: [],
    workflowsMapping: [],
  };
}
