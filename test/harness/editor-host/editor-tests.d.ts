/** Made by the build (scripts/build/bundle.ts): requires the test files that are wanted. */
declare module "editor-tests" {
  export function loadTests(wanted: (file: string) => boolean): void;
}
