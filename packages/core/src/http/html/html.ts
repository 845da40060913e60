import { escapeHtml } from '../../kernel/escape-html.ts'
import { splitAtIsolates, withNeededIsolates } from '../../kernel/isolation.ts'
import { withoutTricks } from '../../kernel/markdown.ts'
import { splitAtLinks } from '../../kernel/text-links.ts'

/** Markup that is safe to send: made by {@link html}, or passed to {@link sanitised}. */
export interface Html {
  readonly markup: string
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

const escaped = (text: string) => escapeHtml(withoutTricks(text))

/** Escapes a text; what messages isolated in it becomes elements. */
const isolatedHtml = (text: string) =>
  text.includes('\u2068')
    ? splitAtIsolates(text)
        .map((part, index) => (index % 2 === 1 ? `<bdi>${escaped(part)}</bdi>` : escaped(part)))
        .join('')
    : escaped(text)

function write(part: Part, safely: (text: string) => string): string {
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return safely(String(part))
  return 'markup' in part ? part.markup : part.map((one) => write(one, safely)).join('')
}

const attributes = new WeakMap<TemplateStringsArray, readonly boolean[]>()

/** Returns for each value of a template whether it is in an attribute. */
function areAttributes(strings: TemplateStringsArray): readonly boolean[] {
  const attribute = attributes.get(strings)
  if (attribute) return attribute
  let text = ''
  const found = strings.map((string) => {
    text = (text + string).slice((text + string).lastIndexOf('>') + 1)
    return text.split('"').length % 2 === 0
  })
  attributes.set(strings, found)
  return found
}

/**
 * Builds markup. Values in `${}` are escaped unless they are {@link Html}, and what messages isolated in them is in a `<bdi>`.
 * Always quote attributes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const inAttribute = areAttributes(strings)
  return {
    markup: strings.reduce(
      (text, string, at) => text + write(parts[at - 1], inAttribute[at - 1] ? escaped : isolatedHtml) + string,
    ),
  }
}

/** Escapes a text for an element without markup, such as `<title>`. What messages isolated in it stays isolated where needed. */
export const plainHtml = (text: string): Html => ({
  markup: splitAtNeeded(text)
    .map((part, index) => (index % 2 === 1 ? `\u2068${escaped(part)}\u2069` : escaped(part)))
    .join(''),
})

const splitAtNeeded = (text: string) => splitAtIsolates(withNeededIsolates(text))

/** Marks the output of a sanitiser as safe. */
export const sanitised = (markup: string): Html => ({ markup })

/** Escapes a text, and links its web addresses. Links of users carry no endorsement for search engines, and send no Referer. */
const linkedHtml = (text: string): readonly (string | Html)[] =>
  splitAtLinks(text).map(({ text: part, link }) =>
    link ? html`<a href="${link.url}" rel="nofollow ugc noopener noreferrer">${part}</a>` : part,
  )

/** Writes a note of an author as a paragraph. Its language is unknown, so that it is not read in that of the page. */
export const noteHtml = (text: string | null | undefined): Html | false => (text ? html`<p lang="">${text}</p>` : false)

/** Escapes multi-line text as paragraphs with line breaks, and links its web addresses. Its language is unknown. */
export const proseHtml = (text: string): Html =>
  html`${text
    .split(/(?:\r\n|[\n\r\u2028\u2029]){2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map(
      (paragraph) =>
        html`<p lang="">${paragraph.split(/\r\n|[\n\r\u2028\u2029]/).map((line, index) => [index > 0 && html`<br>`, linkedHtml(line)])}</p>`,
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
