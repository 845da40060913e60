import type { Page } from 'playwright-core'

/** A wallet in the page, by EIP-6963 and EIP-1193. Its requests are answered by the test. */
const INJECTED = `{
  const provider = {
    async request(call) {
      const { result, code } = await globalThis.answerWallet(call)
      if (code !== undefined) throw Object.assign(new Error('refused'), { code })
      return result
    },
  }
  const detail = Object.freeze({ info: { uuid: 'a', name: 'Test wallet', icon: '', rdns: 'example.test' }, provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
}`

interface Answer {
  readonly result?: unknown
  readonly code?: number
}

/** What a wallet answers, by the method of the request. */
export type WalletAnswers = Readonly<Record<string, (params: readonly unknown[]) => Answer | Promise<Answer>>>

/** Gives the next documents of a tab a wallet. Returns the methods that they call. */
export async function injectWallet(page: Page, answers: WalletAnswers): Promise<readonly string[]> {
  const calls: string[] = []
  await page.exposeFunction('answerWallet', async ({ method, params = [] }: { method: string; params?: [] }) => {
    calls.push(method)
    return (await answers[method]?.(params)) ?? { code: 4200 }
  })
  await page.addInitScript(INJECTED)
  return calls
}
