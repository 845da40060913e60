import { z } from 'zod'
import type { ScreenTexts } from '../../../framework/module/screen.ts'
import { textOf, WRITTEN_BY } from '../../../framework/module/screen-form.ts'
import { isSecretInput } from '../../../http/idempotency/send-once.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { sealText, unsealText } from '../../../kernel/sealed-text.ts'

/** The name of the hidden input with a form that is only shown again. */
const KEPT = 'kept_form'

const PURPOSE = 'kept-form'
const MAX_SEALED = 262_144
/** What a form with a kept one has beside it. */
const ENVELOPE_BYTES = 1_024

const keptForm = z.object({
  until: z.number(),
  texts: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
})

/** Whether a page about an ended session sent a form, which is shown again without being processed. */
export const isKept = (texts: ScreenTexts): boolean => textOf(texts, KEPT) !== undefined

/**
 * Keeps forms whose session has ended on their page, encrypted: for an hour, for the account and the screen that they were written for,
 * without passwords, codes and files.
 */
export function createKeptForms({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
  const ownerOf = (account: string | undefined, path: string) => JSON.stringify([account, path])
  return {
    /** Returns the hidden input of a form, also of a kept one. Undefined when it would not fit into a form of so many bytes. */
    async keep(
      path: string,
      texts: ScreenTexts,
      maxBytes: number,
    ): Promise<Readonly<Record<string, string>> | undefined> {
      const before = textOf(texts, KEPT)
      if (before !== undefined) return { [KEPT]: before }
      const kept = Object.fromEntries(Object.entries(texts).filter(([name]) => !isSecretInput(name)))
      const text = JSON.stringify({ until: clock().getTime() + HOUR_MS, texts: kept })
      const maxLength = Math.min(MAX_SEALED, maxBytes - ENVELOPE_BYTES)
      // Encrypted it is longer.
      if (text.length > maxLength) return undefined
      const sealed = await sealText({ purpose: PURPOSE, of: ownerOf(textOf(texts, WRITTEN_BY), path), text }, keyring)
      return sealed.length <= maxLength ? { [KEPT]: sealed } : undefined
    },
    /** Returns a kept form; undefined for one of another account or screen, and after an hour. */
    async open(path: string, texts: ScreenTexts, account: string): Promise<ScreenTexts | undefined> {
      const sealed = textOf(texts, KEPT) ?? ''
      const text = await unsealText({ purpose: PURPOSE, of: ownerOf(account, path), sealed }, keyring)
      if (text === undefined) return undefined
      const { until, texts: kept } = keptForm.parse(JSON.parse(text))
      return until > clock().getTime() ? kept : undefined
    },
  }
}

export type KeptForms = ReturnType<typeof createKeptForms>
