/** @internal */
export { CATALOGUE_EVENTS } from './catalogue-changes.ts'
export { acceptedTags, isIconUrl, isShortText } from './resource-info.ts'
