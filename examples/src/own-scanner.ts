import type { Scanner } from '@eep/core/ports'

/** Scans with a service that accepts raw bytes and answers `{ "found": null }` or the name of a finding. */
export const httpScanner = (url: string): Scanner => ({
  async scan(body, { contentType, signal }) {
    const headers = { 'content-type': contentType }
    const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half', redirect: 'error', signal })
    // Any other response is an error, and the upload is rejected.
    if (!response.ok) throw new Error(`The scanner answered ${response.status}`)
    const { found } = (await response.json()) as { found: string | null }
    if (found === undefined) throw new Error('The scanner returned no result')
    return found === null ? { verdict: 'clean' } : { verdict: 'infected', signature: found }
  },
})
