/** What an assistant asks for that signs in when it is connected. The person unticks what is too much. */
export const ACCOUNT_SCOPES: readonly string[] = [
  'read:profiles',
  'read:content',
  'read:files',
  'read:feed',
  'read:notifications',
  'read:messages',
  'read:connections',
  'read:services',
  'read:payments',
  'read:analytics',
  'read:memory',
  'write:profiles',
  'write:content',
]
