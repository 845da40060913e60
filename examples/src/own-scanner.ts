import type { Scanner } from '@eep/core/ports'

/** Scans by a service that takes the bytes as they are and answers `{ "found": null }` or the name of what it found. */
export const httpScanner = (url: string): Scanner => ({
  async scan(body, { contentType, signal }) {
    const headers = { 'content-type': contentType }
    const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half', redirect: 'error', signal })
    // Whatever is not an answer about this file is an error, and the upload is rejected.
    if (!response.ok) throw new Error(`The scanner answered ${response.status}`)
    const { found } = (await response.json()) as { found: string | null }
    if (found === undefined) throw new Error('The scanner did not say what it found')
    return found === null ? { verdict: 'clean' } : { verdict: 'infected', signature: found }
  },
})
