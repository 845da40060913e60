// docs/reference/routes.md, made from the routes of the service.
import type { DescribedRoute } from './described-routes.ts'

/** The page of all routes, a table for each tag. */
export function routesPage(routes: readonly DescribedRoute[]): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))].sort()
  const tables = tags.map((tag) => {
    const rows = routes
      .filter((route) => route.tag === tag)
      .map(({ method, path, operationId, summary, auth, scope }) => {
        const key = scope === undefined ? '' : `\`${scope}\``
        return `| \`${method} ${path}\` | ${summary} | ${auth} | ${key} | \`${operationId}\` |`
      })
    return [
      `## ${tag}`,
      '',
      '| route | what it does | authentication | scope | operationId |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return `# Routes

Generated from the routes by \`npm run docs\`, with every module on. A running service describes those that it has, with their
parameters, bodies, responses and errors, in OpenAPI 3.1 at \`/docs/openapi.json\` and for people at \`/docs\`. [HTTP](http.md) has
the conventions that all of them share.

Authentication is \`none\` for public routes, which show some callers more, \`key\` for a session or an API key with the scope, \`bearer\`
for a session, and \`admin\` for the session of an administrator. [API keys](../guides/api-keys.md) explains the scopes.

${tables.join('\n\n')}
`
}
