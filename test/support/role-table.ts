import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Person } from './accounts.ts'

export type Send = Person['send']

/** The requests that need each action, by their route. A list for an action that has none yet is empty. */
export type RoutesOfActions = Readonly<
  Record<string, Readonly<Record<string, (send: Send) => Promise<LightMyRequestResponse>>>>
>

/**
 * The permissions of a guide: the roles that may do each action. The table between the comments `<!-- name -->` and
 * `<!-- /name -->` is generated from the permission table.
 */
export function readRoleTable(guide: string, name: string): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(resolve(import.meta.dirname, `../../docs/guides/${guide}.md`), 'utf8')
  const [, table = ''] = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(page) ?? []
  const [head = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(
    rows.map((cells) => [(cells[2] ?? '').replaceAll('`', ''), head.filter((_, index) => cells[index] === 'yes')]),
  )
}

/** Tests each route of each action as each caller, in the order of `who`. */
export function testRoleTable<Who extends string>(options: {
  readonly table: ReadonlyMap<string, readonly string[]>
  readonly routes: RoutesOfActions
  readonly who: readonly Who[]
  readonly sendAs: (who: Who) => Send
  /** The status for a caller without permission. */
  readonly refusal: (who: Who, action: string) => readonly number[]
}): void {
  const { table, routes, who: callers, sendAs, refusal } = options
  describe('a role', () => {
    it('covers every action of the table with routes', () => {
      expect(Object.keys(routes).sort()).toEqual([...table.keys()].sort())
      expect(table.size).toBeGreaterThan(5)
    })

    for (const [action, allowed] of table) {
      for (const [route, request] of Object.entries(routes[action] ?? {})) {
        for (const who of callers) {
          const isAllowed = allowed.includes(who)
          it(`${isAllowed ? 'lets' : 'keeps'} ${who} ${isAllowed ? 'do' : 'from'} ${action} by ${route}`, async () => {
            const { statusCode, body } = await request(sendAs(who))
            if (isAllowed) expect([200, 201, 202, 204], body).toContain(statusCode)
            else expect(refusal(who, action), body).toContain(statusCode)
          })
        }
      }
    }
  })
}
