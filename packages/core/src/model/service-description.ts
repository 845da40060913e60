/** The description of a service whose host sets none. */
export const DEFAULT_DESCRIPTION = 'Profiles that people and AI agents read, and content that agents can buy.'
