import { type Finding, fail, pass, type SiteRule, skip, warn } from '../rule.ts'

const GOOD_MS = 2_000
const SLOW_MS = 4_000
const GOOD_BYTES = 256 * 1024
const LARGE_BYTES = 1024 * 1024
/** From here on compression saves time. */
const COMPRESSIBLE_BYTES = 2_048

/** The page is small, fast and compressed. */
export const speedAndSize: SiteRule = {
  id: 'speed-and-size',
  category: 'http',
  summary: 'The page is fast, small and compressed',
  weight: 4,
  fix: 'Compress text (gzip or br), keep pages below 256 KB, and respond within 2 seconds.',
  doc: 'https://web.dev/articles/ttfb',
  async check(site): Promise<Finding> {
    const page = await site.get(site.url.href, { accept: 'text/html' })
    if (page.is !== 'answer') return skip(page.reason)
    // Caches of the site may be cold for the first request. Another Accept makes it another request.
    const again = await site.get(site.url.href, { accept: 'text/html, */*;q=0.1' })
    const elapsedMs = again.is === 'answer' ? Math.min(page.elapsedMs, again.elapsedMs) : page.elapsedMs
    const evidence = `${Math.round(elapsedMs)} ms, ${page.bytes} bytes, ${page.headers.get('content-encoding') ?? 'not compressed'}`
    if (page.isCut || page.bytes > LARGE_BYTES) return fail('The page is larger than 1 MB.', evidence)
    if (elapsedMs > SLOW_MS) return fail('The page takes more than 4 seconds.', evidence)
    if (page.bytes > GOOD_BYTES) return warn('The page is larger than 256 KB.', evidence)
    if (elapsedMs > GOOD_MS) return warn('The page takes more than 2 seconds.', evidence)
    if (page.bytes > COMPRESSIBLE_BYTES && !page.headers.has('content-encoding')) {
      return warn('The page is not compressed.', evidence)
    }
    return pass('The page is fast, small and compressed.', evidence)
  },
}
