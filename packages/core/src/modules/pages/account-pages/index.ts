export { createAskAgain } from './ask-again.ts'
