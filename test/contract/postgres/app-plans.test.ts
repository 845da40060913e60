import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import type { OptionalGroup, Stores } from '@eep/core/ports'
import {
  newAppConnection,
  newAppDecision,
  newAppGrant,
  newAppToken,
  newDeviceRequest,
  newSpend,
} from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { MAX_ROWS, slowPartsOf } from '../../support/query-plans.ts'
import { queriesOf } from '../../support/sent-queries.ts'

type Tx = Stores<OptionalGroup>

/** Enough of each kind that no statement may read all of them. */
const ROWS = MAX_ROWS + 1_700
const ACCOUNTS = ROWS / 10
const NOW = new Date('2026-03-04T05:06:07.089Z')
const ACCOUNT = `md5('account 7')::uuid`

const FILL = [
  `insert into eep.accounts (id, email, username, created_at)
   select md5('account ' || n)::uuid, n || '@example.com', 'app-user-' || n, $1 from generate_series(1, ${ACCOUNTS}) n`,
  `insert into eep.app_connections (id, account_id, app_kind, client_id, app_name, app_verified, scopes, reach, may_spend, spender,
     resources, seed, generation, rotated_at, created_at, last_used_at, idle_seconds, idle_ends_at, expires_at, ended_at)
   select md5('connection ' || n)::uuid, md5('account ' || n % ${ACCOUNTS} + 1)::uuid, 'cimd', 'https://app-' || n || '.example/c', 'App',
     true, '{read:content}', 'all', true, 'app-' || n, '{https://profiles.example}', 'seed', 1, $1, $1, $1, 86400,
     $1::timestamptz + interval '1 day', $1::timestamptz + interval '9 days',
     case when n / ${ACCOUNTS} % 2 = 0 then $1::timestamptz end
   from generate_series(1, ${ROWS}) n`,
  `insert into eep.app_tokens (hash, connection_id, created_at, expires_at)
   select 'token ' || n || ' ' || m, md5('connection ' || n)::uuid, $1, $1::timestamptz + interval '1 hour'
   from generate_series(1, ${ROWS}) n, generate_series(1, 3) m`,
  `insert into eep.app_codes (request_id, account_id, decided_at, hash, expires_at)
   select 'request ' || n, md5('account ' || n % ${ACCOUNTS} + 1)::uuid, $1, 'code ' || n, $1 from generate_series(1, ${ROWS}) n`,
  `insert into eep.app_device_requests (device_hash, user_code_hash, app, scopes, resources, address_hash, interval_seconds, created_at,
     expires_at, decided_at, account_id)
   select 'device ' || n, 'user code ' || n, '{}', '{}', '{}', 'address ' || n, 5, $1, $1, $1, md5('account ' || n % ${ACCOUNTS} + 1)::uuid
   from generate_series(1, ${ROWS}) n`,
  `insert into eep.app_spends (id, account_id, spender, currency, amount, day, state)
   select 'spend ' || n, md5('account ' || n % ${ACCOUNTS} + 1)::uuid, 'app-' || n, 'usd', 1, $1::timestamptz::date, 'reserved'
   from generate_series(1, ${ROWS}) n`,
  `insert into eep.app_spend_totals (account_id, spender, currency, month, days)
   select md5('account ' || n % ${ACCOUNTS} + 1)::uuid, 'app-' || n, 'usd', date_trunc('month', $1::timestamptz)::date, '[1]' from generate_series(1, ${ROWS}) n`,
  `insert into eep.app_receipts (receipt_id, account_id, spender, name, created_at)
   select 'receipt ' || n, md5('account ' || n % ${ACCOUNTS} + 1)::uuid, 'app-' || n, 'App', $1 from generate_series(1, ${ROWS}) n`,
]

/** Calls of the stores on one account. */
const CALLS: Readonly<Record<string, (tx: Tx, accountId: string) => Promise<unknown>>> = {
  'an access token': (tx) => tx.connectedApps.getByAccessHash('token 307 1', NOW),
  'the connections of an account': (tx, id) => tx.connectedApps.listOfAccount(id, { now: NOW }, { limit: 20 }),
  'a refresh, a use and a change': async (tx, id) => {
    const { items } = await tx.connectedApps.listOfAccount(id, { now: NOW }, { limit: 1 })
    const connectionId = items[0]?.id ?? ''
    const rotation = { generation: 1, now: NOW, check: () => true, token: newAppToken() }
    expect(await tx.connectedApps.rotate(connectionId, rotation)).toMatchObject({ outcome: 'rotated' })
    await tx.connectedApps.hold(connectionId, NOW)
    await tx.connectedApps.touch(connectionId, new Date(NOW.getTime() + 60_000))
    await tx.connectedApps.update(id, connectionId, { now: NOW, scopes: [] })
    await tx.connectedApps.end(id, connectionId, 'user', NOW)
  },
  'a decision and its redemption, twice': async (tx, id) => {
    const decision = newAppDecision(newAppGrant(id))
    await tx.connectedApps.decide(decision)
    await tx.connectedApps.getDecision(decision.requestId, id)
    await tx.connectedApps.getCode(decision.code?.hash ?? '')
    const redeem = () =>
      tx.connectedApps.redeem(decision.code?.hash ?? '', {
        now: NOW,
        check: () => true,
        connection: newAppConnection({ limits: { account: 2, app: 2 } }),
      })
    await redeem()
    await redeem()
  },
  'the end of connections of a profile, of sessions and of all': async (tx, id) => {
    await tx.connectedApps.endOfProfile(7, { now: NOW })
    await tx.connectedApps.endOfSessions(id, { except: undefined }, NOW)
    await tx.connectedApps.endAll(id, 'account', NOW)
  },
  'a device': async (tx, id) => {
    const request = newDeviceRequest()
    expect(await tx.connectedApps.openDevice(request, { address: 5, all: 1_000 })).toBe('opened')
    await tx.connectedApps.getDeviceRequest(request.userCodeHash, NOW)
    await tx.connectedApps.getDevice(request.deviceHash)
    await tx.connectedApps.decideDevice(request.userCodeHash, newAppGrant(id), NOW)
    const poll = { now: NOW, check: () => true, connection: newAppConnection() }
    await tx.connectedApps.pollDevice(request.deviceHash, poll)
  },
  'spending and receipts': async (tx, id) => {
    const spend = newSpend(id, { at: NOW })
    await tx.appSpending.reserveSpend(spend)
    await tx.appSpending.adjustSpend(spend.id, 1)
    await tx.appSpending.listTotals(id, NOW)
    await tx.appSpending.listMonths(id)
    await tx.appSpending.listReceipts(id, {}, { limit: 20 })
    await tx.appSpending.listReceipts(id, { spender: 'app-6' }, { limit: 20 })
    await tx.appSpending.getReceiptApps(id, ['receipt 6', 'receipt 7'])
  },
}

describe.skipIf(onPglite())(`the statements of connected apps, among ${ROWS} of them`, () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  let accountId: string
  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, listen: false })
    for (const text of FILL) await pool.query(text, [NOW])
    await pool.query('analyze')
    accountId = (await pool.query(`select ${ACCOUNT} as id`)).rows[0].id
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  it.each(Object.entries(CALLS))('use indexes and read few rows for %s', async (_, call) => {
    const sent = await queriesOf(pool, () => storage.transaction(async (tx) => void (await call(tx, accountId))))
    const slow: Record<string, readonly string[]> = {}
    for (const query of sent) {
      const parts = await slowPartsOf(pool, query)
      if (parts.length > 0) slow[query.text.slice(0, 500)] = parts
    }
    expect(slow).toEqual({})
    expect(sent.length).toBeGreaterThan(1)
  })

  it('find a token with its connection and its account in one query', async () => {
    let found: unknown
    const sent = await queriesOf(pool, async () => {
      found = await storage.read.connectedApps.getByAccessHash('token 307 1', NOW)
    })
    expect(found).toBeDefined()
    expect(sent).toHaveLength(1)
  })
})
