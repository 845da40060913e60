import type { OptionalGroup, Storage, Stores } from '@eep/core/ports'

/** Never comes back from the point where the process is to die (`DIE_AT`): the signal needs a moment. */
export async function reach(point: string): Promise<void> {
  if (process.env.DIE_AT !== point) return
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

/** Lets the test that started this process change its variables while it runs. */
export function obeyTest(): void {
  process.on('message', (variables: Record<string, string>) => {
    Object.assign(process.env, variables)
    process.send?.('changed')
  })
}

/** Actions around the calls of one store and after the commit of their transaction. */
export interface Around<Method> {
  /** Gets what the call is given, and may change it. */
  readonly before?: (method: Method, given: unknown[]) => Promise<void> | void
  readonly after: (method: Method) => Promise<void>
  readonly committed: (called: ReadonlySet<Method>) => Promise<void>
}

/** A storage with something to be done around one of its stores. */
export const watchedStore = <Name extends keyof Stores<OptionalGroup>>(
  storage: Storage<OptionalGroup>,
  name: Name,
  { before, after, committed }: Around<keyof Stores<OptionalGroup>[Name]>,
): Storage<OptionalGroup> => ({
  ...storage,
  async transaction(work) {
    const called = new Set<keyof Stores<OptionalGroup>[Name]>()
    const watched = (tx: Stores<OptionalGroup>) =>
      new Proxy(tx[name], {
        get(target, method: string & keyof Stores<OptionalGroup>[Name]) {
          const call = target[method] as (...given: unknown[]) => Promise<unknown>
          return async (...given: unknown[]) => {
            await before?.(method, given)
            const result = await call.apply(target, given)
            called.add(method)
            await after(method)
            return result
          }
        },
      })
    const result = await storage.transaction((tx) => work({ ...tx, [name]: watched(tx) }))
    await committed(called)
    return result
  },
})
