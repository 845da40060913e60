export { createAskAgain } from './ask-again.ts'
export { weaknessText } from './problems.ts'
