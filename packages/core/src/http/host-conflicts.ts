import { TYPE_BY_PREFIX } from '../model/profile-type.ts'

/** What a host can do about a path that it and the service both serve. */
function wayOut(path: string): string {
  if (path.startsWith('/health')) return 'Set `health: false` to keep yours, or register the service with a `prefix`'
  if (ROOT_FILES.test(path)) {
    return 'Set `discovery: { rootFiles: false }` to keep yours, or register the service with a `prefix`'
  }
  if (path === '/openapi.json') {
    return 'Set `pricedDiscovery: { paidOpenapi: false }` to keep yours, or register the service with a `prefix`'
  }
  if (path === '/license.xml') {
    return 'Set `discovery: { rsl: false }` to keep yours, or register the service with a `prefix`'
  }
  if (path === '/ask') {
    return 'Set `discovery: { ask: false }` to keep yours, or register the service with a `prefix`'
  }
  if (/^\/(oauth\/|device$)/.test(path)) {
    return 'Move the route of the service with `oauthServer: { paths }`, or register the service with a `prefix`'
  }
  const [, first = ''] = path.split('/')
  if (Object.hasOwn(TYPE_BY_PREFIX, first)) {
    return 'Profiles have their addresses there: move your route, or register the service with a `prefix`'
  }
  return 'Move your route, or register the service with a `prefix`'
}

const ROOT_FILES = /^\/($|favicon\.ico|robots\.txt|sitemap|llms\.txt)/

/**
 * Returns an error that names the option to set, when registering a route or the not-found handler failed because the host
 * already has one; otherwise the error as it is.
 */
export function explainConflict(error: unknown, prefix: string): unknown {
  if (!(error instanceof Error)) return error
  const options = { cause: error }
  if ('code' in error && error.code === 'FST_ERR_DUPLICATED_ROUTE') {
    const [, url = ''] = /for route '(.*)'/.exec(error.message) ?? []
    const path = url.slice(prefix.length) || '/'
    return new Error(
      `This server already has a route ${url || '/'}, which the service serves too. ${wayOut(path)}`,
      options,
    )
  }
  if (error.message.startsWith('Not found handler already set')) {
    return new Error(
      'This server already has a not-found handler. Set `notFound: false` to keep yours, or register the service with a `prefix`',
      options,
    )
  }
  return error
}
