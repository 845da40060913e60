import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { postgresStorage } from '@eep/adapters-postgres'
import type { NewAppConnection } from '@eep/core/ports'
import { newAppConnection, newAppToken } from '@eep/core/testing'
import { Client, Pool } from 'pg'
import { obeyTest } from './crash-points.ts'

/**
 * A process that redeems codes and rotates refresh tokens on the database of `DATABASE_URL`, and kills itself with SIGKILL at one
 * statement of that: `DIE_AT` is `before 3`, `sent 3` or `answer`. It prints its port.
 */
export type AppTokenCall =
  | { readonly call: 'redeem'; readonly hash: string; readonly id: NewAppConnection['id']; readonly now: string }
  | { readonly call: 'rotate'; readonly id: string; readonly token: string; readonly now: string }

const die = () => {
  process.kill(process.pid, 'SIGKILL')
  // The signal needs a moment.
  return new Promise(() => {})
}

let statements = 0

function watchStatements(): void {
  const { query } = Client.prototype
  const watched = function (this: Client, ...given: unknown[]): unknown {
    statements += 1
    if (process.env.DIE_AT === `before ${statements}`) return die()
    const sent = Reflect.apply(query, this, given)
    return process.env.DIE_AT === `sent ${statements}` ? die() : sent
  }
  Client.prototype.query = watched as typeof query
}

const { DATABASE_URL } = process.env
obeyTest()
watchStatements()
const storage = postgresStorage({ pool: new Pool({ connectionString: DATABASE_URL }), listen: false })

async function run(given: AppTokenCall): Promise<unknown> {
  const now = new Date(given.now)
  const check = () => true
  if (given.call === 'redeem') {
    const connection = newAppConnection({ id: given.id })
    return storage.transaction((tx) => tx.connectedApps.redeem(given.hash, { now, check, connection }))
  }
  const token = newAppToken({ hash: given.token })
  return storage.transaction((tx) => tx.connectedApps.rotate(given.id, { generation: 1, now, check, token }))
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const given: AppTokenCall = JSON.parse(await text(request))
  statements = 0
  const result = await run(given)
  if (process.env.DIE_AT === 'answer') await die()
  response.end(JSON.stringify(result))
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
})
