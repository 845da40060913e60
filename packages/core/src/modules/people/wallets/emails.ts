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

/** Reports that the sales of an account are paid to another wallet, or to none, with a link that undoes it. */
export const payoutChangedEmail = defineEmail('payout-changed', {
  summary: 'sales on a network are paid to another wallet than before, or to none',
  data: z.object({
    address: z.string().nullable().describe('Null when the wallet was removed'),
    network: data.shape.network,
    link: z.url().nullable().describe('Undoes the change. Null for an account that does not own its address'),
    seconds: z.int().min(1),
  }),
  messages,
  text: ({ address, network, link, seconds }, say, { service, lasting }) => {
    const subject = say('subject', { service })
    const what = address === null ? say('removed', { network }) : say('paragraph1', { network, address })
    return link === null
      ? { subject, paragraphs: [what, say('paragraph2')] }
      : {
          subject,
          paragraphs: [what, say('paragraph3'), say('paragraph4', { time: lasting(seconds) })],
          action: { link, label: say('action') },
        }
  },
})

/** Confirms that a change of the payout wallet was undone. */
export const payoutsRestoredEmail = defineEmail('payouts-restored', {
  summary: 'a change of the payout wallet was undone',
  data: z.object({
    link: z
      .url()
      .nullable()
      .describe('To choose a password. Null when the account has another email address meanwhile'),
    seconds: z.int().min(1),
  }),
  messages,
  text: ({ link, seconds }, say, { service, lasting }) => {
    const subject = say('subject', { service })
    return link === null
      ? { subject, paragraphs: [say('paragraph1')] }
      : {
          subject,
          paragraphs: [say('paragraph1'), say('paragraph2', { time: lasting(seconds) })],
          action: { link, label: say('action') },
        }
  },
})

/** The emails about wallets. */
export const walletEmails = [walletLinkedEmail, payoutChangedEmail, payoutsRestoredEmail] as const
