/** The rules of a `robots.txt` (RFC 9309). */
export interface RobotsRules {
  /** Whether an agent may request a URL of the host. */
  isAllowed(url: string, agent: string): boolean
  /** The sitemaps that the file names, unchanged. */
  readonly sitemaps: readonly string[]
}

/** What a scan reads from an HTML page. Missing elements are null. */
export interface HtmlOutline {
  /** The `lang` of the root element. */
  readonly lang: string | null
  readonly title: string | null
  /** The `description` of the page. */
  readonly description: string | null
  /** The contents of `<script type="application/ld+json">`, unparsed. */
  readonly jsonLd: readonly string[]
  /** The number of `h1` elements. */
  readonly headings: number
}

/**
 * Parses files and pages of other sites. The entry of the feature `siteScanner` brings it. Its functions neither throw nor reject,
 * whatever the text contains.
 */
export interface SiteScanToolkit {
  /** Parses a `robots.txt` that was served at `url`. */
  parseRobots(url: string, text: string): RobotsRules
  /** Reads an HTML page, also an incomplete one. */
  outlineHtml(html: string): Promise<HtmlOutline>
}
