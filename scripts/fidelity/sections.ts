import { section1 } from "./section-1.ts";
import { section2 } from "./section-2.ts";
import { section3 } from "./section-3.ts";
import { section41 } from "./section-4-1.ts";
import { section42 } from "./section-4-2.ts";
import { section43 } from "./section-4-3.ts";
import { section44 } from "./section-4-4.ts";
import { section45 } from "./section-4-5.ts";
import { section46 } from "./section-4-6.ts";
import { section47 } from "./section-4-7.ts";
import { section48 } from "./section-4-8.ts";
import { section5 } from "./section-5.ts";
import { section6 } from "./section-6.ts";
import { section7 } from "./section-7.ts";
import { section8 } from "./section-8.ts";
import { section9 } from "./section-9.ts";
import type { FidelitySection } from "./statement.ts";

/** The binding statements of the API description by section. */
export const sections: readonly FidelitySection[] = [
  ...[section1, section2, section3, section41, section42, section43, section44, section45],
  ...[section46, section47, section48, section5, section6, section7, section8, section9],
];
