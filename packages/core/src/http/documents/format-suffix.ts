import type { FastifyRequest } from 'fastify'
import { memoized } from '../../kernel/memoized.ts'
import type { RouteDefinition } from '../route-definition.ts'
import type { RouteConfig } from '../routes.ts'
import { type SuffixFormat, suffixesOf } from './negotiation.ts'

const SUFFIX = /\.([a-z]+)$/
const PARAMETER = 'suffix'

/** Returns the parameter that a path ends with, for example `username` or `*`; undefined when its last segment is static. */
const lastParameter = memoized((path: string): string | undefined => {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last === '*' ? last : /^:(\w+)$/.exec(last)?.[1]
})

/**
 * Returns the address at which a suffix of the URL selects the format of a public document, such as `/u/ada/content.md`; undefined for
 * routes that have none. Names contain no dots, so a path that ends with a name needs no other address: {@link takeSuffix} finds the
 * suffix of `/u/ada.json` in its parameter.
 */
export function withSuffix(definition: RouteDefinition): RouteDefinition | undefined {
  const { url, config } = definition
  const last = url.slice(url.lastIndexOf('/') + 1)
  const suffixes = suffixesOf(config.eep.produces)
  if (!suffixes || last === '' || last.includes('.') || lastParameter(url) !== undefined) return undefined
  const { operationId, family } = config.eep
  const names = Object.keys(suffixes)
  const eep: RouteConfig = {
    ...config.eep,
    operationId: `${operationId}AsFile`,
    aliasOf: operationId,
    suffixes: names,
    family: family && { ...family, path: `${family.path}.:${PARAMETER}` },
  }
  return { ...definition, url: `${url}.:${PARAMETER}(^(?:${names.join('|')})$)`, config: { ...config, eep } }
}

/**
 * Removes the suffix from the parameters of a request for a public document, and returns its format; undefined without
 * a suffix.
 */
export function takeSuffix(
  { params }: FastifyRequest,
  { config, url = '' }: FastifyRequest['routeOptions'],
): SuffixFormat | undefined {
  const suffixes = suffixesOf(config.eep?.produces)
  if (!suffixes) return undefined
  const values = params as Record<string, string>
  const name = config.eep?.suffixes ? PARAMETER : lastParameter(url)
  const value = name === undefined ? undefined : values[name]
  if (name === undefined || value === undefined) return undefined
  if (config.eep?.suffixes) {
    delete values[name]
    return suffixes[value]
  }
  const found = value.includes('.') ? SUFFIX.exec(value) : null
  const format = found && Object.hasOwn(suffixes, found[1] ?? '') ? suffixes[found[1] ?? ''] : undefined
  if (!found || !format) return undefined
  values[name] = value.slice(0, found.index)
  return format
}
