const LABELS: ReadonlyMap<string, string> = new Map([
  ['github', 'GitHub'],
  ['google', 'Google'],
  ['oidc', 'OpenID Connect'],
])

/** Returns the display name of a provider. Default: its configured name. */
export const providerLabel = (name: string): string => LABELS.get(name) ?? name
