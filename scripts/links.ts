// Finds links in the docs to files or headings that do not exist, and markup that the website cannot compile.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ownLinks } from './repository.ts'

const root = join(import.meta.dirname, '..')

const CODE = /^(`{3,})[\s\S]*?^\1$|`[^`\n]*`/gm
/** Inline links with or without a title, definitions of reference links, and the attributes of HTML. */
const LINK =
  /(?:\]\(<?|^\[[^\]\n]+\]: +<?|\b(?:href|src)=")(?![a-z][a-z+.-]*:)(?<path>[^)\s#">]*)(?:#(?<heading>[^)\s">]+))?(?=>?(?:\)|\s|"|$))/gim
const HEADING = /^#{1,6} (.+)$/gm

/** The anchors of a page, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '').matchAll(HEADING)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/**
 * Links to missing files or headings, one sentence each. Relative links and links to files at the public address of the
 * repository are checked; links to other sites are not.
 */
export function deadLinks(pages: ReadonlyMap<string, string>): readonly string[] {
  const textOf = (path: string) => pages.get(path) ?? readFileSync(join(root, path), 'utf8')
  return [...pages].flatMap(([page, text]) => {
    const problems = ownLinks(text)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page} links to ${path}, which does not exist`)
    if (!page.endsWith('.md')) return problems
    for (const { groups: { path = '', heading } = {} } of text.replaceAll(CODE, '').matchAll(LINK)) {
      if (path.startsWith('/')) continue
      const target = path === '' ? page : posix.join(posix.dirname(page), path)
      if (!pages.has(target) && !existsSync(join(root, target))) {
        problems.push(`${page} links to ${path}, which does not exist`)
      } else if (heading !== undefined && target.endsWith('.md') && !anchorsOf(textOf(target)).has(heading)) {
        problems.push(`${page} links to ${path}#${heading}, a heading that does not exist`)
      }
    }
    return problems
  })
}

/** Tags other than those that the pages use, and double braces: VitePress compiles pages as Vue templates. */
const STRAY_MARKUP = /<(?!\/?(?:a|br|img)\b|https?:)\/?[a-z][^>\n]*>?|\{\{/gi

/** Markup outside of code that the website cannot compile, one sentence each. */
export const strayMarkup = (pages: ReadonlyMap<string, string>): readonly string[] =>
  [...pages]
    .filter(([page]) => page.startsWith('docs/') && page.endsWith('.md'))
    .flatMap(([page, text]) =>
      [...text.replaceAll(CODE, '').matchAll(STRAY_MARKUP)].map(
        ([markup]) => `${page} has ${markup} outside of code, which the website cannot compile`,
      ),
    )
