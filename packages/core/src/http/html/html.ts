import { escapeHtml } from '../../kernel/escape-html.ts'
import { withoutTricks } from '../../kernel/markdown.ts'
import { splitAtLinks } from '../../kernel/text-links.ts'

/** Markup that is safe to send: made by {@link html}, or passed to {@link sanitised}. */
export interface Html {
  readonly markup: string
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

const escaped = (text: string) => escapeHtml(withoutTricks(text))

function write(part: Part): string {
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(write).join('')
}

/** Builds markup. Values in `${}` are escaped unless they are {@link Html}. Always quote attributes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: strings.reduce((text, string, index) => text + write(parts[index - 1]) + string),
})

/** Marks the output of a sanitiser as safe. */
export const sanitised = (markup: string): Html => ({ markup })

/** Escapes a text, and links its web addresses. Links of users carry no endorsement for search engines, and send no Referer. */
const linkedHtml = (text: string): readonly (string | Html)[] =>
  splitAtLinks(text).map(({ text: part, link }) =>
    link ? html`<a href="${link.url}" rel="nofollow ugc noopener noreferrer">${part}</a>` : part,
  )

/** Escapes multi-line text as paragraphs with line breaks, and links its web addresses. */
export const proseHtml = (text: string): Html =>
  html`${text
    .split(/(?:\r\n|[\n\r\u2028\u2029]){2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map(
      (paragraph) =>
        html`<p>${paragraph.split(/\r\n|[\n\r\u2028\u2029]/).map((line, at) => [at > 0 && html`<br>`, linkedHtml(line)])}</p>`,
    )}`

/** Writes JSON for a script element. `<` is escaped, because a script element ends at the first `</script`. */
const scriptJson = (data: unknown): string =>
  JSON.stringify(data).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** JSON-LD in a script element. */
export const jsonScript = (data: unknown): Html =>
  sanitised(`<script type="application/ld+json">${scriptJson(data)}</script>`)

/** Data for the script of pages, in a script element with this id. */
export const dataScript = (id: string, data: unknown): Html =>
  html`${sanitised('<script type="application/json" ')}id="${id}">${sanitised(scriptJson(data))}${sanitised('</script>')}`
