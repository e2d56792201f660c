/** Access to the sample tenant that runs in the editor. */
export interface SampleAccess {
  /**
   * Starts the sample tenant, signs in, and opens its running workspace. Asks before it replaces the window's folder.
   */
  open(): Promise<void>;
  /** True for the tenant that runs in the editor. */
  isSample(tenantId: string): boolean;
  /** Signs in again after the user signed out. Resolves with false for any other tenant. */
  signIn(tenantId: string): Promise<boolean>;
}
