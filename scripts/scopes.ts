// The table of scopes in docs/guides/api-keys.md, made from what the routes declare.
import { everyModule } from '../packages/core/src/testing/every-module.ts'
import type { DescribedRoute } from './described-routes.ts'

/** Each scope with the routes that ask for it, and those that show more with it, as Markdown. */
export function scopeTable(routes: readonly DescribedRoute[]): string {
  const cell = (scope: string, isOpen: boolean) => {
    const found = routes.filter(
      (route) => route.aliasOf === undefined && route.scope === scope && (route.auth === 'none') === isOpen,
    )
    const names = found.map(({ method, path }) => `\`${method} ${path}\``)
    return names.length > 0 ? ` ${names.join('<br>')} ` : ' '
  }
  const rows = everyModule
    .flatMap(({ scopes }) => scopes)
    .map((scope) => `| \`${scope}\` |${cell(scope, false)}|${cell(scope, true)}|`)
  return ['| scope | opens | shows more at |', '|---|---|---|', ...rows].join('\n')
}
