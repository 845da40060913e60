export { acceptedTags, isIconUrl, isShortText } from './resource-info.ts'
