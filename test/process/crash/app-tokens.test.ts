import { randomUUID } from 'node:crypto'
import { freshName, newAccount, newAppConnection, newAppDecision, newAppGrant, newAppToken } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AppTokenCall } from '../../support/app-token-host.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'

/** How often each statement of each operation kills its host, before it is sent and after. */
const ROUNDS = Number(process.env.APP_TOKEN_KILLS ?? 1)
const TIMEOUT_MS = 600_000 * ROUNDS
const NOW = new Date('2026-03-04T05:06:07.089Z')
/** More than an operation sends. */
const MOST_STATEMENTS = 40

/** Two processes need a database that both can open. */
describe.skipIf(onPglite())(
  'a process that is killed while it issues tokens of an app',
  { timeout: TIMEOUT_MS },
  () => {
    let opened: PooledStorage
    let host: Awaited<ReturnType<typeof startCrashHost>>
    beforeAll(async () => {
      opened = await openPooledStorage()
    })
    afterAll(async () => {
      await host?.kill()
      await opened.close()
    })

    const start = () => startCrashHost({ DATABASE_URL: opened.database.connectionString }, './app-token-host.ts')

    /** Sends a call to a host that dies at a point. Returns false when it lived: it sends fewer statements. */
    async function killedAt(point: string, call: AppTokenCall): Promise<boolean> {
      host = await start()
      onTestFinished(host.kill)
      await host.change({ DIE_AT: point })
      const answer = await fetch(host.url, { method: 'POST', body: JSON.stringify(call) }).catch(() => undefined)
      if (answer) await host.kill()
      else await host.exited
      return answer === undefined
    }

    /** Runs a case for every point at which a process can die, which the case makes it do. Returns the outcomes. */
    async function atEveryPoint(run: (point: string) => Promise<string | undefined>): Promise<readonly string[]> {
      const outcomes: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const moment of ['before', 'sent']) {
          for (let statement = 1; statement < MOST_STATEMENTS; statement += 1) {
            const outcome = await run(`${moment} ${statement}`)
            if (outcome === undefined) break
            outcomes.push(outcome)
          }
        }
      }
      return outcomes
    }

    /** A new account with a code that is not redeemed. */
    const coded = () =>
      opened.storage.transaction(async (tx) => {
        const { id: accountId } = newAccount()
        await tx.accounts.insert(newAccount({ id: accountId }))
        const decision = newAppDecision(newAppGrant(accountId))
        await tx.connectedApps.decide(decision)
        return { accountId, hash: decision.code?.hash ?? '' }
      })

    const rowsOf = async (accountId: string) => {
      const { rows } = await opened.pool.query(
        `select connection.id, connection.ended_at is null as live, count(token.hash)::integer as tokens
       from eep.app_connections connection left join eep.app_tokens token on token.connection_id = connection.id
       where account_id = $1 group by 1`,
        [accountId],
      )
      return rows
    }

    it('has redeemed the code with a connection and its token, or not at all', async () => {
      const redeemed = async (point: string) => {
        const { accountId, hash } = await coded()
        const id = randomUUID()
        if (!(await killedAt(point, { call: 'redeem', hash, id, now: NOW.toISOString() }))) return undefined
        const connection = newAppConnection()
        const again = await opened.storage.transaction((tx) =>
          tx.connectedApps.redeem(hash, { now: NOW, check: () => true, connection }),
        )
        if (again.outcome === 'redeemed')
          expect(await rowsOf(accountId), point).toEqual([{ id: connection.id, live: true, tokens: 1 }])
        else {
          // The app cannot have the tokens whose answer was lost, and asks the person again.
          expect(again, point).toMatchObject({ outcome: 'replayed', ended: { id } })
          expect(await rowsOf(accountId), point).toEqual([{ id, live: false, tokens: 0 }])
        }
        return again.outcome
      }
      const outcomes = await atEveryPoint(redeemed)
      expect(new Set(outcomes)).toContain('redeemed')
      expect(await redeemed('answer')).toBe('replayed')
    })

    it('gives a repeated refresh token the same successor', async () => {
      const refreshed = async (point: string) => {
        const { hash } = await coded()
        const made = newAppConnection()
        const check = () => true
        await opened.storage.transaction((tx) => tx.connectedApps.redeem(hash, { now: NOW, check, connection: made }))
        const lost = freshName('token')
        if (!(await killedAt(point, { call: 'rotate', id: made.id, token: lost, now: NOW.toISOString() })))
          return undefined
        const token = newAppToken()
        const use = (generation: number) =>
          opened.storage.transaction((tx) =>
            tx.connectedApps.rotate(made.id, {
              generation,
              now: NOW,
              check,
              token: generation === 1 ? token : newAppToken(),
            }),
          )
        const again = await use(1)
        expect(again, point).toMatchObject({ connection: { id: made.id, generation: 2 } })
        const { connectedApps } = opened.storage.read
        expect(await connectedApps.getByAccessHash(token.hash, NOW), point).toBeDefined()
        const isKept = (await connectedApps.getByAccessHash(lost, NOW)) !== undefined
        expect(isKept, point).toBe(again.outcome === 'repeated')
        expect(await use(2), point).toMatchObject({ outcome: 'rotated', connection: { generation: 3 } })
        return again.outcome
      }
      const outcomes = await atEveryPoint(refreshed)
      expect(new Set(outcomes)).toContain('rotated')
      expect(await refreshed('answer')).toBe('repeated')
    })
  },
)
