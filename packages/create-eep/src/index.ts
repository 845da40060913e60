export { runCreate, type Surroundings } from './create.ts'
export type { Choice, Prompts } from './questions.ts'
