// The recommended rules of graphql-eslint; test_javascript.py has the exceptions.
import graphqlPlugin from "@graphql-eslint/eslint-plugin";

const parser = { ...graphqlPlugin.parser };
const parserOptions = { graphQLConfig: { schema: "schema.graphql", documents: "operations/**/*.graphql" } };

export default [
  { files: ["**/*.graphql"], languageOptions: { parser, parserOptions }, plugins: { "@graphql-eslint": graphqlPlugin } },
  { files: ["schema.graphql"], rules: graphqlPlugin.configs["flat/schema-recommended"].rules },
  { files: ["operations/**/*.graphql"], rules: graphqlPlugin.configs["flat/operations-recommended"].rules },
];
