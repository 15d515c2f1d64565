import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints how Java, Gson and Jackson print the values of values.json, which it reads from the variable VALUES. */
public class Print {
    interface Printer {
        /** Null where the printer has no such value. */
        String print(String json) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        ObjectMapper jackson = new ObjectMapper();
        ObjectMapper decimals = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        Gson gson = new GsonBuilder().serializeNulls().create();
        Gson unescaped = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
        Gson lazy = new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LAZILY_PARSED_NUMBER).create();
        Map<String, Printer> printers = new LinkedHashMap<>();
        printers.put("Gson with LAZILY_PARSED_NUMBER", json -> jackson.readTree(json).isNumber() ? String.valueOf(lazy.fromJson(json, Object.class)) : null);
        printers.put("String.valueOf(gson.fromJson(json, Object.class))", json -> String.valueOf(gson.fromJson(json, Object.class)));
        printers.put("gson.toJson(gson.fromJson(json, Object.class))", json -> gson.toJson(gson.fromJson(json, Object.class)));
        printers.put("the same with disableHtmlEscaping()", json -> unescaped.toJson(gson.fromJson(json, Object.class)));
        printers.put("String.valueOf(jackson.readValue(json, Object.class))", json -> String.valueOf(jackson.readValue(json, Object.class)));
        printers.put("jackson.writeValueAsString(jackson.readValue(json, Object.class))", json -> jackson.writeValueAsString(jackson.readValue(json, Object.class)));
        printers.put("Double.toString", json -> jackson.readTree(json).isNumber() ? Double.toString(Double.parseDouble(json)) : null);
        printers.put("BigDecimal.toString", json -> decimals.readValue(json, Object.class) instanceof BigDecimal ? new BigDecimal(json).toString() : null);
        printers.put("BigDecimal.toPlainString", json -> decimals.readValue(json, Object.class) instanceof BigDecimal ? new BigDecimal(json).toPlainString() : null);
        printers.put("BigDecimal.stripTrailingZeros().toPlainString()", json -> decimals.readValue(json, Object.class) instanceof BigDecimal ? new BigDecimal(json).stripTrailingZeros().toPlainString() : null);

        Map<String, Map<String, String>> printed = new LinkedHashMap<>();
        for (Map.Entry<String, Printer> printer : printers.entrySet()) {
            Map<String, String> prints = new LinkedHashMap<>();
            Map<?, ?> values = jackson.readValue(System.getenv("VALUES"), Map.class);
            for (Map.Entry<?, ?> value : values.entrySet()) {
                String print = printer.getValue().print((String) value.getValue());
                if (print != null) prints.put((String) value.getKey(), print);
            }
            printed.put(printer.getKey(), prints);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("language", "Java");
        all.put("version", System.getProperty("java.version") + ", Jackson " + jackson.version() + ", Gson " + arguments[0]);
        all.put("printers", printed);
        System.out.write((jackson.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
