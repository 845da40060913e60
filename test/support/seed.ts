/** The seed of generated requests, which titles of tests print. It is the same in each run; RANDOM_SEED=7 makes other requests. */
export const SEED = Number(process.env.RANDOM_SEED ?? 1)
