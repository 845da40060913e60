/** What opens something for whoever reads it: tokens of mails, keys of streams, what a sign-in provider sends back. */
const SECRETS: ReadonlySet<string> = new Set(['api_key', 'code', 'state', 'token'])

const nameOf = (parameter: string): string => [...new URLSearchParams(parameter).keys()][0]?.toLowerCase() ?? ''

/** The URL of a request as logs may have it: without the values that must stay secret, however their names are written. */
export function withoutSecrets(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const parameters = url
    .slice(start)
    .split('&')
    .map((parameter) => (SECRETS.has(nameOf(parameter)) ? `${nameOf(parameter)}=[Redacted]` : parameter))
  return url.slice(0, start) + parameters.join('&')
}
