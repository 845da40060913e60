import { expect, it } from 'vitest'
import type { CatalogueNotice, PaymentRail } from '../../../ports/payment-rail.ts'
import { observeCatalogueNotices } from './catalogue-notices.ts'

/** A rail that sends notices, and what becomes of them. */
function observed() {
  let listener: ((notice: CatalogueNotice) => void) | undefined
  const rail = {
    id: 'x402',
    onCatalogueNotice(listen: (notice: CatalogueNotice) => void) {
      listener = listen
    },
  } as Partial<PaymentRail> as PaymentRail
  const counted: string[] = []
  const logged: object[] = []
  let now = 0
  observeCatalogueNotices({
    rails: [rail],
    metrics: { counter: () => (labels) => void counted.push(Object.values(labels).join()) },
    logger: { warn: (details) => logged.push(details as object) },
    clock: () => new Date(now),
  })
  return {
    send: (notice: CatalogueNotice) => listener?.(notice),
    counted,
    logged,
    wait(ms: number) {
      now += ms
    },
  }
}

it('counts every notice, and logs each reason of a rejection once an hour', () => {
  const { send, counted, logged, wait } = observed()
  send({ status: 'success' })
  send({ status: 'rejected', reason: 'no schema' })
  send({ status: 'rejected', reason: 'no schema' })
  send({ status: 'rejected' })
  expect(counted).toEqual(['success', 'rejected', 'rejected', 'rejected'])
  expect(logged).toEqual([
    { rail: 'x402', reason: 'no schema' },
    { rail: 'x402', reason: 'no reason given' },
  ])
  wait(3_600_000)
  send({ status: 'rejected', reason: 'no schema' })
  expect(logged).toHaveLength(3)
})

it('logs a bounded number of different reasons', () => {
  const { send, logged } = observed()
  for (let index = 0; index < 200; index += 1) send({ status: 'rejected', reason: `reason ${index}` })
  expect(logged).toHaveLength(100)
})
