/** The end of the sessions of an agent at the gate of a profile. */
export interface GateSessionRevocation {
  readonly profileId: number
  readonly agentDid: string
  /** Sessions that began at this time or before are revoked. */
  readonly revokedAt: Date
}

/** Revocations of the sessions of agents, for reading. The sessions are signed tokens and are not stored. */
export interface GateSessionReader {
  /** When the sessions of an agent at a profile were last revoked; undefined when they were not. */
  getRevokedAt(profileId: number, agentDid: string): Promise<Date | undefined>
}

/** Revocations of the sessions of agents. They are deleted with the profile. */
export interface GateSessionStore extends GateSessionReader {
  /**
   * Revokes the sessions of an agent at a profile. Of concurrent calls the latest time is kept. False when the profile does not
   * exist.
   */
  revoke(revocation: GateSessionRevocation): Promise<boolean>
  /** Deletes at most `limit` revocations from before this time, and returns how many. */
  prune(before: Date, limit: number): Promise<number>
}
