const LABELS: ReadonlyMap<string, string> = new Map([
  ['github', 'GitHub'],
  ['google', 'Google'],
  ['oidc', 'OpenID Connect'],
])

/** The name of a provider as people know it. Providers of a host are called by their names in the configuration. */
export const providerLabel = (name: string): string => LABELS.get(name) ?? name
