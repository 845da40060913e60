import { z } from 'zod'
import { defineEmail } from '../../../runtime/email/define-email.ts'
import { messages } from './messages.ts'

const data = z.object({
  address: z.string(),
  /** CAIP-2, for example `eip155:8453`. */
  network: z.string(),
})

/** Reports that a wallet was linked to an account. */
export const walletLinkedEmail = defineEmail('wallet-linked', {
  summary: 'a wallet is linked to an account',
  data,
  messages,
  text: ({ address, network }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { address, network }), say('paragraph2')],
  }),
})

/** Reports that the sales of an account are paid to another wallet. */
export const payoutChangedEmail = defineEmail('payout-changed', {
  summary: 'sales on a network are paid to a wallet that did not receive them before',
  data,
  messages,
  text: ({ address, network }, say, { service }) => ({
    subject: say('subject', { service }),
    paragraphs: [say('paragraph1', { network, address }), say('paragraph2')],
  }),
})

/** The emails about wallets. */
export const walletEmails = [walletLinkedEmail, payoutChangedEmail] as const
