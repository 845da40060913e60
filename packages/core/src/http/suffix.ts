import type { FastifyInstance, FastifyRequest } from 'fastify'
import { memoized } from '../kernel/memoized.ts'
import { type SuffixFormat, suffixesOf } from './negotiation.ts'

const SUFFIX = /\.([a-z]+)$/
const PARAMETER = 'suffix'

/** The parameter that an address ends with: `username`, `*`; undefined when it ends with a word. */
const lastParameter = memoized((path): string | undefined => {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '*' ? last : /^:(\w+)$/.exec(last)?.[1]
})

/**
 * Lets every public document be asked for by a suffix of its address: `/u/ada.json`, `/u/ada/content.md`. Names hold no
 * dots, so nothing is ambiguous. The route is the same one, gates included.
 */
export function addSuffixes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { routePath, config } = route
    const word = routePath.slice(routePath.lastIndexOf('/') + 1)
    const suffixes = suffixesOf(config?.eep?.produces)
    if (route.method === 'HEAD' || !config?.eep || config.eep.alias || !suffixes) return
    if (word === '' || word.includes('.') || lastParameter(routePath) !== undefined) return
    app.route({
      ...route,
      url: `${routePath}.:${PARAMETER}(^(?:${Object.keys(suffixes).join('|')})$)`,
      config: { ...config, eep: { ...config.eep, alias: true } },
    })
  })
}

/** Takes the suffix off the parameters of a request for a public document; undefined when it has none. */
export function takeSuffix(
  { params }: FastifyRequest,
  { config, url = '' }: FastifyRequest['routeOptions'],
): SuffixFormat | undefined {
  const suffixes = suffixesOf(config.eep?.produces)
  if (!suffixes) return undefined
  const values = params as Record<string, string>
  const name = config.eep?.alias ? PARAMETER : lastParameter(url)
  const value = name === undefined ? undefined : values[name]
  if (name === undefined || value === undefined) return undefined
  if (config.eep?.alias) {
    delete values[name]
    return suffixes[value]
  }
  const found = value.includes('.') ? SUFFIX.exec(value) : null
  const format = found && Object.hasOwn(suffixes, found[1] ?? '') ? suffixes[found[1] ?? ''] : undefined
  if (!found || !format) return undefined
  values[name] = value.slice(0, found.index)
  return format
}
