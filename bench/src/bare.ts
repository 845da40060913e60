import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { serve } from './server-process.ts'

/** What a bare route sends: the bytes and headers that the service sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Base64. */
  readonly body: string
}

interface Order {
  readonly connectionString?: string
  readonly answers: Readonly<Record<string, Answer>>
}

/** A Fastify server whose routes do nothing but answer; those under `/select` first read one row by its key. */
await serve<Order, { readonly url: string }>(async ({ connectionString, answers }) => {
  const app = Fastify()
  const { pool } = await openDatabase(connectionString)
  await pool.query('create table if not exists bare (id bigint primary key, body jsonb not null)')
  await pool.query(
    `insert into bare select each, '{"some":"row"}' from generate_series(1, 1000) each on conflict do nothing`,
  )

  for (const [name, { status, headers, body }] of Object.entries(answers)) {
    const bytes = Buffer.from(body, 'base64')
    app.get(`/${name}`, async (_request, reply) =>
      reply
        .code(status)
        .headers(headers)
        .send(bytes.length > 0 ? bytes : undefined),
    )
    app.get(`/select/${name}`, async (_request, reply) => {
      await pool.query('select * from bare where id = $1', [7])
      return reply.code(status).headers(headers).send(bytes)
    })
  }
  return { url: await app.listen({ port: 0 }) }
})
