import type { HtmlOutline, RobotsRules } from '../../../ports/site-scan-toolkit.ts'

/** A response of the scanned site. */
export interface SiteAnswer {
  readonly is: 'answer'
  /** The URL that answered, after redirects on the same host. */
  readonly url: string
  readonly status: number
  /** By lower-case names. Repeated headers are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded as UTF-8. */
  readonly body: string
  /** The length of the body as it was sent, in bytes. */
  readonly bytes: number
  /** Whether the body was longer than what was read. */
  readonly isCut: boolean
  /** From the request to the last byte. */
  readonly elapsedMs: number
}

/** Why there is no response: `robots.txt` forbids the request, or there was none within the limits of the scan. */
export interface NoAnswer {
  readonly is: 'disallowed' | 'failed'
  /** One sentence. */
  readonly reason: string
}

export type SiteResponse = SiteAnswer | NoAnswer

/** The scanned site as rules see it. Equal requests are sent once. */
export interface Site {
  /** The URL to scan. */
  readonly url: URL
  /** The response to `/robots.txt`. */
  readonly robots: SiteAnswer
  readonly robotsRules: RobotsRules
  /**
   * Requests a path or a URL of the host. Never rejects.
   *
   * @param headers - request headers, by lower-case names
   */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<SiteResponse>
  /** Sends JSON to a path or a URL of the host, for protocols that read by `POST`. Never rejects. */
  post(address: string, body: object, headers?: Readonly<Record<string, string>>): Promise<SiteResponse>
  outlineHtml(html: string): Promise<HtmlOutline>
}

/** The media type of a response, in lower case and without parameters. */
export const mediaTypeOf = ({ headers }: SiteAnswer): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The body as a JSON object; undefined when it is not one. */
export function jsonOf({ body }: SiteAnswer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a parsed JSON value is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is text that is not empty. */
export const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Whether a value is an absolute URL of http or https. */
export const isWebUrl = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** Whether a document is missing, as opposed to broken. */
export const isMissing = (response: SiteResponse): boolean =>
  response.is === 'answer' && (response.status === 404 || response.status === 410)

/** Returns the document at the first of these paths that has one. */
export async function firstFound(site: Pick<Site, 'get'>, paths: readonly string[]): Promise<SiteResponse | undefined> {
  for (const path of paths) {
    const response = await site.get(path)
    if (!isMissing(response)) return response
  }
}

/** Describes a response for the evidence of a check: `404, text/html`. */
export const describe = (response: SiteResponse): string =>
  response.is === 'answer' ? `${response.status}, ${mediaTypeOf(response) || 'no media type'}` : response.reason
