export { LISTINGS } from './listings.ts'
