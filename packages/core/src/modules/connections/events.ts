interface ConnectionFacts {
  readonly followerProfileId: number
  readonly followeeProfileId: number
}

/** They are about the profile that follows. No public document shows them, so caches and lists stay as they are. */
export interface ConnectionEvents {
  'connections.profile_followed': ConnectionFacts
  'connections.profile_unfollowed': ConnectionFacts
}
