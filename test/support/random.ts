/** Chance that is the same for the same seed. */
export interface Chance {
  /** A whole number below `end`. */
  below(end: number): number
  /** Whether something happens that does so often. */
  happens(share: number): boolean
  pick<Thing>(things: readonly Thing[]): Thing
  shuffled<Thing>(things: readonly Thing[]): Thing[]
}

/** Mulberry32: small, and good enough to walk through a state machine. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    happens: (share) => next() < share,
    pick: (things) => things[below(things.length)] as (typeof things)[number],
    shuffled(things) {
      const all = [...things]
      for (let last = all.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const held = all[last] as (typeof all)[number]
        all[last] = all[other] as (typeof all)[number]
        all[other] = held
      }
      return all
    },
  }
}
