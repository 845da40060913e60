import type { ComparedAmount, ComparedPayment, PaymentFinding } from '../../modules/access/paywall/index.ts'
import { openService } from '../open-service.ts'
import { type Command, type CommandInput, type CommandResult, textOf, UsageError } from './command.ts'

/** What each finding means, and whether it is a difference. */
const FINDINGS: Readonly<Record<PaymentFinding, { readonly text: string; readonly differs: boolean }>> = {
  matches: { text: 'match', differs: false },
  missing_at_rail: { text: 'missing at the rail', differs: true },
  missing_in_books: { text: 'missing in the books', differs: true },
  amount_differs: { text: 'with another amount', differs: true },
  refund_missing_at_rail: { text: 'with a refund that is missing at the rail', differs: true },
  refund_missing_in_books: { text: 'with a refund that is missing in the books', differs: true },
  unknown: { text: 'with an unknown outcome', differs: false },
  resolved: { text: 'resolved', differs: false },
  unchecked: { text: 'not checked', differs: false },
}

/** How many payments are compared between two lines about progress. */
const REPORTED_EVERY = 500

/** Compares payments in the books with the chain and the processor. */
export const reconcile: Command = {
  name: 'reconcile',
  usage: '[--since <date>] [--apply]',
  summary: 'compares the payments in the books with the chain and the processor',
  help: `Compares each payment in the books with the transactions of the chain and the payments of the processor, and prints
those that do not match. Exits with 1 when something differs. The host may be running.

  --since <date>   only payments that were claimed at or after this time: 2026-01-31, or 2026-01-31T12:00:00Z
  --apply          record outcomes that were unknown and that the rail has decided; nothing is charged`,
  positionals: 0,
  options: { since: { type: 'string' }, apply: { type: 'boolean' } },
  run: compare,
}

function dateOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) || Number.isNaN(date.getTime())) {
    throw new UsageError('--since must be a date: 2026-01-31, or 2026-01-31T12:00:00Z')
  }
  return date
}

async function compare({ host, options, readConfiguration, progress }: CommandInput): Promise<CommandResult> {
  const since = dateOf(textOf(options, 'since'))
  const { eep, close } = await openService(host, readConfiguration())
  const counts: Partial<Record<PaymentFinding, number>> = {}
  const shown: ComparedPayment[] = []
  let total = 0
  try {
    for await (const compared of eep.paywall.comparePayments({ since, apply: options.apply === true })) {
      total += 1
      counts[compared.finding] = (counts[compared.finding] ?? 0) + 1
      if (compared.finding !== 'matches') shown.push(compared)
      if (total % REPORTED_EVERY === 0) progress(`${total} payments compared`)
    }
  } finally {
    await close()
  }
  const differs = shown.some(({ finding }) => FINDINGS[finding].differs)
  return {
    text: [...shown.map(lineOf), summaryOf(total, counts)].join('\n'),
    json: { compared: total, differs, counts, payments: shown.map(jsonOf) },
    exitCode: differs ? 1 : 0,
  }
}

function summaryOf(total: number, counts: Partial<Record<PaymentFinding, number>>): string {
  const parts = Object.entries(FINDINGS).flatMap(([finding, { text }]) => {
    const count = counts[finding as PaymentFinding]
    return count === undefined ? [] : [`${count} ${text}`]
  })
  return total === 0 ? 'No payments to compare' : `${total} payments compared: ${parts.join(', ')}`
}

const amountText = (amount: ComparedAmount | null) =>
  amount === null ? 'nothing' : `${amount.atomic} ${amount.asset} (${amount.reference})`

function lineOf({ finding, rail, credentialId, payment, books, atRail, reason }: ComparedPayment): string {
  const name = payment?.receiptId ?? payment?.id ?? credentialId
  const because = reason === null ? '' : `; ${reason}`
  return `${finding}  ${rail} ${name}: books ${amountText(books)}, rail ${amountText(atRail)}${because}`
}

const jsonOf = ({ finding, rail, credentialId, payment, books, atRail, reason }: ComparedPayment) => ({
  finding,
  rail,
  credential_id: credentialId,
  payment: payment && {
    id: payment.id,
    state: payment.state,
    receipt_id: payment.receiptId,
    created_at: payment.createdAt.toISOString(),
  },
  books,
  at_rail: atRail,
  reason,
})
