/** The choice of all profiles of the account, in forms. */
export const ALL_PROFILES = 'all'
