import type { Rule } from '../rule.ts'

/** Addresses of this machine. */
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A service elsewhere that would get its key without TLS. */
export const sendsKeyInClear = (urlName: string, keyName: string): Rule => ({
  when({ values, has }) {
    const url = values[urlName]
    return typeof url === 'string' && url.startsWith('http:') && has(keyName) && !LOCAL.has(new URL(url).hostname)
  },
  problem: () => `${urlName} is not https, so ${keyName} would be sent unencrypted; leave one of the two out`,
})
