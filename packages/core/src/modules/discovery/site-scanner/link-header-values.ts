/** A target of a `Link` header and its relations. */
export interface LinkValue {
  readonly href: string
  readonly rels: readonly string[]
}

const MAX_LINKS = 200
/** A link is read again for each quote that does not end, so longer headers are cut. */
const MAX_CHARACTERS = 4_096
const LINK = /<([^<>]*)>((?:[^",<]|"(?:[^"\\]|\\.)*")*)/g
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/g

/** Parses a `Link` header (RFC 8288). Links without a relation are left out. */
export const linkValues = (header: string | undefined): readonly LinkValue[] =>
  [...(header ?? '').slice(0, MAX_CHARACTERS).matchAll(LINK)]
    .slice(0, MAX_LINKS)
    .flatMap(([, href = '', parameters = '']) => {
      const found = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel')
      const rels = (found?.[2] ?? found?.[3] ?? '').toLowerCase().split(/\s+/).filter(Boolean)
      return rels.length > 0 ? [{ href, rels }] : []
    })

/** The relations of a `Link` header. */
export const relationsOf = (header: string | undefined): ReadonlySet<string> =>
  new Set(linkValues(header).flatMap(({ rels }) => rels))
