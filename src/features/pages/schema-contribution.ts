/** package.json's `contributes.jsonValidation` for filter views and analyzer settings of pages. */
export const filterViewValidation = {
  fileMatch: "platform-documents://*/filter-view/*/*.json",
  url: "platform-documents://.schemas/filter-view-schema/filter-view.schema.json",
};
