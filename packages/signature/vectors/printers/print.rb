# Prints how Ruby prints the values of values.json.
require 'bigdecimal'
require 'cgi'
require 'json'

values = JSON.parse(File.read(File.join(__dir__, 'values.json')))
read = ->(json) { JSON.parse(json) }
decimal = ->(json) { read.call(json).is_a?(Float) ? BigDecimal(json) : nil }
printers = {
  'value.to_s' => ->(json) { read.call(json).to_s },
  'value.inspect' => ->(json) { read.call(json).inspect },
  'JSON.generate(value)' => ->(json) { JSON.generate(read.call(json)) },
  'JSON.generate(value, script_safe: true)' => ->(json) { JSON.generate(read.call(json), script_safe: true) },
  'JSON.generate(value, ascii_only: true)' => ->(json) { JSON.generate(read.call(json), ascii_only: true) },
  'BigDecimal#to_s' => ->(json) { decimal.call(json)&.to_s },
  "BigDecimal#to_s('F')" => ->(json) { decimal.call(json)&.to_s('F') },
  'CGI.escapeHTML(value)' => ->(json) { read.call(json).is_a?(String) ? CGI.escapeHTML(read.call(json)) : nil },
}
printed = printers.transform_values { |print| values.transform_values(&print).compact }
puts JSON.pretty_generate({ language: 'Ruby', version: RUBY_VERSION, printers: printed }, indent: '    ')
