import { describe, expect, it } from 'vitest'
import { type Person, signUp } from './accounts.ts'
import { newKey } from './api-keys.ts'
import type { TestApp } from './app.ts'
import { type Client, client } from './client.ts'
import { newMember, type OwnedProfile } from './teams.ts'

/** A caller of routes. */
export type Sender = Pick<Client, 'get' | 'post' | 'put' | 'delete'>

/** What callers try to do, by name. */
export type Actions = Readonly<Record<string, (sender: Sender) => Promise<{ readonly statusCode: number }>>>

const CALLERS = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'administrator', 'anonymous', 'key without scope']

/** One caller of each kind, for the actions of a team. */
export async function newCallers(app: TestApp, team: OwnedProfile, administrator: Person) {
  const { key } = await newKey(app, team.owner.headers, { scopes: ['read:profiles'] })
  const callers: readonly Sender[] = [
    team.owner,
    await newMember(app, team, 'admin'),
    await newMember(app, team, 'editor'),
    await newMember(app, team, 'viewer'),
    await signUp(app),
    administrator,
    client(app),
    client(app, { 'x-api-key': key }),
  ]
  return callers
}

/**
 * Tests the status of each action for each kind of caller: the owner, an admin, an editor and a viewer of the team, another account, an
 * administrator of the service, an anonymous caller, and a key of the owner that has the scope `read:profiles` only.
 */
export function testPermissions(
  callers: () => readonly Sender[],
  actions: Actions,
  table: Readonly<Record<string, readonly number[]>>,
): void {
  describe.each(Object.entries(actions))('permission to %s', (name, act) => {
    it.each(CALLERS.map((caller, column) => [caller, table[name]?.[column], column] as const))(
      'for %s: status %i',
      async (_caller, expected, column) => {
        const sender = callers()[column]
        if (!sender) throw new Error(`Column ${column} has no caller`)
        expect((await act(sender)).statusCode).toBe(expected)
      },
    )
  })
}
