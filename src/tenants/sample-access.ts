/** The sample tenant inside the editor. */
export interface SampleAccess {
  /** Starts it, signs in, and opens its running workspace. Asks before it replaces the folder of the window. */
  open(): Promise<void>;
  /** Signs in to it again, after the person signed out. False for any other tenant. */
  signIn(tenantId: string): Promise<boolean>;
}
